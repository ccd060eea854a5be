export { expectAccessible } from './accessibility.js';
export {
  type Device,
  type Language,
  picture,
  type TestBrowser,
  useBrowser,
  type Visitor,
} from './browser.js';
