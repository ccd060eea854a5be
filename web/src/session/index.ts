export {
  type Account,
  currentAccount,
  signIn,
  signOut,
  signUp,
  useAccount,
  useSessionExpired,
} from './account.js';
export { looksLikeEmail } from './looks-like-email.js';
export { places, usePlace, usePlaces } from './places.js';
export { typedEmail } from './typed-email.js';
export { RequireAccount } from './require-account.js';
