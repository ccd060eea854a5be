import type { OperatorText } from '../operator-text.js';
import { audit } from './audit.js';
import { controls } from './controls.js';
import { draft } from './draft.js';
import { facts } from './facts.js';
import { general } from './general.js';
import { errors, form, plan } from './form.js';
import { live } from './live.js';
import { policy } from './policy.js';
import { report } from './report.js';
import { sales } from './sales.js';
import { breakdown, seatOwner } from './seat-owner.js';
import { mailbox, team } from './team.js';

export const ko: OperatorText = {
  general,
  draft,
  form,
  facts,
  errors,
  plan,
  policy,
  live,
  controls,
  sales,
  audit,
  report,
  team,
  mailbox,
  seatOwner,
  breakdown,
};
