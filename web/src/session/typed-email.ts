import { createStore } from '../store/index.js';

/** What was typed as the address on the sign-in, sign-up or forgot-password page. In memory only; cleared by signing in. */
export const typedEmail = createStore('');
