import { audit } from './audit.js';
import { controls } from './controls.js';
import { desk } from './desk.js';
import { faults, form, plan } from './form.js';
import { live } from './live.js';
import { policy } from './policy.js';
import { sales } from './sales.js';

export const en = { desk, form, faults, plan, policy, live, controls, sales, audit };
