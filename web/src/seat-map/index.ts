export { type Chart, decodeChart } from './chart.js';
export { SeatMap } from './SeatMap.js';
export { type SeatChange, type SeatStates, applyChanges, decodeState } from './states.js';
