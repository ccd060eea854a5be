export { expectAccessible } from './accessibility.js';
export {
  type Device,
  type Language,
  takeScreenshot,
  type TestBrowser,
  useBrowser,
  type Visitor,
  type VisitOptions,
} from './browser.js';
