export { type Answer, type App, type Identify, type Once, type Routes, sendJson } from './app.js';
export {
  listOf,
  type Page,
  pageOfArray,
  pageLimit,
  pagePosition,
  PageQuery,
  pageQuery,
  type PageRequest,
  type Position,
  toPage,
} from './paging.js';
export { Amount, closed, ConcertParams, Count, Id, IdParams, Nullable, Timestamp } from './schemas.js';
