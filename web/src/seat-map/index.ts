export { type Chart, decodeChart } from './chart.js';
export { SeatMap } from './seat-map.js';
export { type SeatChange, type SeatStates, applyChanges, decodeState } from './seat-states.js';
