import type { OperatorText } from '../operator-text.js';

export const facts: OperatorText['facts'] = {
  runningMinutes: '관람 시간 (분)',
  emptyHint: '비우면 표시되지 않습니다.',
  minAge: '관람 연령 (만 나이)',
  minAgeHint: '0은 전체 관람가입니다. 비우면 표시되지 않습니다.',
  refundRules: '취소 수수료',
  refundHint: '이른 날짜부터 관객에게 표로 보여 줍니다. Foyer에서 환불하면 전액이 돌아갑니다.',
  daysBefore: '관람일 며칠 전까지',
  feePercent: '수수료 (%)',
  addRule: '규정 추가',
  usualRules: '일반 규정 불러오기',
  removeRule: (n) => `${n}번째 규정 삭제`,
  poster: '포스터',
  posterNone:
    '관객에게 이 그림이 보입니다. 포스터를 올리세요. PNG, JPEG, WebP, 2MB 이하, 3:4 비율에 가로 900픽셀을 권장합니다.',
  posterHint: '관객과 공유 링크에 이 포스터가 보입니다.',
  posterLater: '포스터는 콘서트를 만든 뒤에 올릴 수 있습니다.',
  choosePoster: '이미지 파일',
  uploadPoster: '올리기',
  removePoster: '삭제',
  posterSaved: '포스터를 등록했습니다.',
  posterRemoved: '포스터를 삭제했습니다.',
};
