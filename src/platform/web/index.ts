export { type Answer, type App, type Identify, type Idempotently, type Routes, sendJson } from './app.js';
export { type Encoding, encodingFor, sendEncodedJson, sendNotModified } from './encoding.js';
export {
  listOf,
  NEWEST,
  pageOfArray,
  pageOfRows,
  PageQuery,
  pageQuery,
  type PageRequest,
  type Position,
} from './paging.js';
export {
  Amount,
  closed,
  ConcertParams,
  Count,
  Id,
  IdParams,
  NoBody,
  Nullable,
  singleLine,
  Timestamp,
} from './schemas.js';
