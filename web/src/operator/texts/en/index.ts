import { audit } from './audit.js';
import { controls } from './controls.js';
import { general } from './general.js';
import { errors, form, plan } from './form.js';
import { live } from './live.js';
import { policy } from './policy.js';
import { sales } from './sales.js';

export const en = { general, form, errors, plan, policy, live, controls, sales, audit };
