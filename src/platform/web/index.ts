export {
  API_PREFIX,
  type Answer,
  type App,
  type Identify,
  type Limit,
  type Idempotently,
  type Routes,
  sendJson,
} from './app.js';
export { disconnectSignal } from './disconnect-signal.js';
export type { BatchedWrite, InBatches } from './batched-write.js';
export { type Encoding, encodingFor, sendEncodedJson, sendNotModified } from './encoding.js';
export {
  firstRows,
  indexCursor,
  listOf,
  NEWEST,
  type Page,
  pageOfArray,
  pageOfRows,
  pageOfScan,
  PageQuery,
  pageQuery,
  type PageRequest,
  type Position,
  type RowPage,
  startIndexOf,
} from './paging.js';
export {
  Amount,
  closed,
  ConcertParams,
  Count,
  Id,
  IdParams,
  multiLine,
  NoBody,
  Nullable,
  singleLine,
  Timestamp,
} from './schemas.js';
