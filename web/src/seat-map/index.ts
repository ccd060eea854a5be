export { type Chart, decodeChart } from './chart.js';
export { SeatMap, type SeatMapProps } from './SeatMap.js';
export { type SeatChange, type SeatStates, type SeatStatus, applyChanges, decodeState } from './states.js';
