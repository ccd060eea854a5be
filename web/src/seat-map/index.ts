export { type Chart, decodeChart } from './chart/chart.js';
export { seatName } from './labels.js';
export { SeatMap } from './seat-map.js';
export {
  type SeatChange,
  type SeatStates,
  applyChanges,
  decodeState,
  markMine,
} from './chart/seat-states.js';
