import { useRoute } from '../app/router.js';

/** The token is in the fragment of a mailed link, which the browser sends to no server. */
export function useLinkToken(): string {
  // Renders again when another link is opened in the same tab.
  useRoute();
  return location.hash.slice(1);
}
