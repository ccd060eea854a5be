import type { Lang } from '../i18n/dictionary.js';
import { formatNumber } from '../i18n/format.js';
import { gradeName } from '../i18n/grade-name.js';

/** All texts of the seat map. */
export interface Texts {
  readonly stage: string;
  readonly soldOut: string;
  readonly freeCount: (free: number) => string;
  readonly freeOf: (free: number, all: number) => string;
  readonly mapName: string;
  readonly mapHelp: string;
  readonly mapHelpReadOnly: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly showAll: string;
  readonly listName: string;
  readonly onlyFree: string;
  readonly noneFree: string;
  readonly legend: string;
  readonly grades: string;
  readonly states: string;
  readonly free: string;
  readonly held: string;
  readonly heldShort: string;
  readonly sold: string;
  readonly chosen: string;
  readonly mine: string;
  readonly grade: (name: string) => string;
  readonly nowChosen: (seat: string, chosen: number, limit: number) => string;
  readonly nowDeselected: (seat: string, chosen: number, limit: number) => string;
  readonly limitReached: (limit: number) => string;
  readonly taken: (seat: string) => string;
}

const ko: Texts = {
  stage: '무대',
  soldOut: '매진',
  freeCount: (free) => `${formatNumber('ko', free)}석`,
  freeOf: (free, all) => `${formatNumber('ko', all)}석 중 ${formatNumber('ko', free)}석 예매 가능`,
  mapName: '좌석 배치도',
  mapHelp:
    '화살표 키로 좌석을 옮겨 다니고, 페이지 업·다운 키로 구역을, 홈·엔드 키로 열의 처음과 끝으로 갑니다. N 키는 다음 예매 가능 좌석으로 갑니다. 엔터나 스페이스로 좌석을 선택하거나 해제합니다. 더하기·빼기 키로 확대·축소하고 0 키로 전체를 봅니다.',
  mapHelpReadOnly:
    '화살표 키로 좌석을 옮겨 다니고, 페이지 업·다운 키로 구역을 옮깁니다. 엔터나 스페이스로 예매자를 확인합니다. 더하기·빼기 키로 확대·축소하고 0 키로 전체를 봅니다.',
  zoomIn: '확대',
  zoomOut: '축소',
  showAll: '전체 보기',
  listName: '좌석 목록',
  onlyFree: '예매 가능한 좌석만 보기',
  noneFree: '예매 가능한 좌석이 없습니다.',
  legend: '범례',
  grades: '등급',
  states: '좌석 상태',
  free: '예매 가능',
  held: '다른 고객이 선점한 좌석',
  heldShort: '선점됨',
  sold: '판매 완료',
  chosen: '선택한 좌석',
  mine: '내가 선점한 좌석',
  grade: (name) => gradeName('ko', name),
  nowChosen: (seat, chosen, limit) => `${seat} 선택. ${limit}석 중 ${chosen}석.`,
  nowDeselected: (seat, chosen, limit) => `${seat} 선택 해제. ${limit}석 중 ${chosen}석.`,
  limitReached: (limit) =>
    limit === 0
      ? '더 이상 선택할 수 없습니다. 이미 최대 매수를 선점했습니다.'
      : `최대 ${limit}석까지 선택할 수 있습니다. 먼저 선택한 좌석을 해제해 주세요.`,
  taken: (seat) => `${seat}: 선택할 수 없는 좌석입니다.`,
};

const en: Texts = {
  stage: 'STAGE',
  soldOut: 'Sold out',
  freeCount: (free) => `${formatNumber('en', free)} available`,
  freeOf: (free, all) => `${formatNumber('en', free)} of ${formatNumber('en', all)} seats available`,
  mapName: 'Seat map',
  mapHelp:
    'Arrow keys move between seats, Page Up and Page Down between sections, Home and End to the ends of a row, N to the next available seat. Enter or Space chooses or deselects a seat. Plus and minus zoom, 0 shows everything.',
  mapHelpReadOnly:
    'Arrow keys move between seats, Page Up and Page Down between sections. Enter or Space shows who has the seat. Plus and minus zoom, 0 shows everything.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  showAll: 'Show everything',
  listName: 'List of seats',
  onlyFree: 'Only available seats',
  noneFree: 'No available seats here.',
  legend: 'Legend',
  grades: 'Grades',
  states: 'Seat states',
  free: 'Available',
  held: 'Held by someone else',
  heldShort: 'Held',
  sold: 'Sold',
  chosen: 'Your choice',
  mine: 'Held by you',
  grade: (name) => name,
  nowChosen: (seat, chosen, limit) => `${seat} chosen, ${chosen} of ${limit}.`,
  nowDeselected: (seat, chosen, limit) => `${seat} deselected, ${chosen} of ${limit}.`,
  limitReached: (limit) => {
    if (limit === 0) return 'You already hold as many seats as one fan may have.';
    return limit === 1
      ? 'You can choose one seat. Deselect it first to choose another.'
      : `You can choose ${limit} seats. Deselect one first to choose another.`;
  },
  taken: (seat) => `${seat} cannot be chosen.`,
};

export const textsOf = (lang: Lang): Texts => (lang === 'ko' ? ko : en);
