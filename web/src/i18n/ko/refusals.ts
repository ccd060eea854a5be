import type { Dictionary } from '../dictionary.js';

export const refusals: Dictionary['refusals'] = {
  ACCESS_DENIED: '지금은 이용할 수 없습니다. 콘서트 페이지에서 ‘예매하기’를 눌러 주세요.',
  ALREADY_OPERATOR: '이미 운영자입니다.',
  ALREADY_RESERVED_SEAT: '이미 선택된 좌석입니다. 다른 좌석을 선택해 주세요. 좌석도는 최신 상태입니다.',
  BALANCE_NOT_ZERO: '잔액이 남아 있습니다. 먼저 사용하거나 잔액 포기에 동의해 주세요.',
  OPERATOR_NOT_ERASABLE: '운영자 계정은 탈퇴할 수 없습니다.',
  BALANCE_LIMIT_EXCEEDED: '잔액 한도를 넘습니다. 더 적은 금액을 충전해 주세요.',
  CANNOT_REMOVE_YOURSELF: '본인은 해제할 수 없습니다. 다른 운영자에게 요청하세요.',
  CONCERT_NOT_FOUND: '존재하지 않는 콘서트입니다. 목록에서 다른 콘서트를 선택해 주세요.',
  EMAIL_TAKEN: '이미 가입된 이메일입니다. 로그인해 주세요.',
  FORBIDDEN: '기획사 계정만 할 수 있습니다. 기획사 계정으로 로그인해 주세요.',
  IDEMPOTENCY_KEY_IN_FLIGHT:
    '이전 요청을 처리하고 있습니다. 잠시 후 다시 시도해 주세요. 중복 처리되지 않습니다.',
  IDEMPOTENCY_KEY_REUSED: '이전 요청과 겹쳤습니다. 새로고침한 뒤 다시 시도해 주세요.',
  IMAGE_DIMENSIONS_INVALID: '이미지 크기가 맞지 않습니다. 가로와 세로 모두 200~4,096픽셀이어야 합니다.',
  IMAGE_TOO_LARGE: '이미지가 2MB보다 큽니다. 용량을 줄여 다시 선택해 주세요.',
  IMAGE_TYPE_UNSUPPORTED: 'PNG, JPEG, WebP 이미지만 올릴 수 있습니다. 다른 파일을 선택해 주세요.',
  INTERNAL_ERROR: '일시적인 오류가 발생했습니다. 잠시 후 다시 시도해 주세요.',
  INVALID_AMOUNT: '금액은 1 이상이어야 합니다. 더 큰 금액을 입력해 주세요.',
  INVALID_REQUEST: '입력하신 내용을 처리할 수 없습니다. 확인한 뒤 다시 시도해 주세요.',
  METHOD_NOT_ALLOWED: '오래된 페이지입니다. 새로고침해 주세요.',
  NO_SEATS_TOGETHER:
    '선택한 매수만큼 연석이 없습니다. 매수를 줄이거나 다른 등급을 선택하거나 좌석도에서 직접 선택해 주세요.',
  NOT_ENOUGH_BALANCE: '잔액이 부족합니다. 아래에서 충전한 뒤 결제해 주세요. 그동안 선택한 좌석은 유지됩니다.',
  NOT_FOUND: '더 이상 존재하지 않는 항목입니다. 이전 화면에서 다시 선택해 주세요.',
  OPERATOR_NOT_FOUND: '이미 운영자가 아닙니다. 페이지를 새로고침하세요.',
  PAYLOAD_TOO_LARGE: '한 번에 보내기에 너무 큽니다. 줄여서 보내 주세요.',
  PAYMENT_NOT_FOUND: '존재하지 않는 영수증입니다. ‘예매 내역’에서 확인해 주세요.',
  REQUEST_TIMEOUT: '요청이 제시간에 도착하지 않았습니다. 네트워크를 확인한 뒤 다시 시도해 주세요.',
  RESERVATION_EXPIRED:
    '결제 시간이 지나 선택한 좌석이 취소되었습니다. 결제되지 않았습니다. 좌석을 다시 선택해 주세요.',
  RESERVATION_NOT_FOUND: '존재하지 않는 예매입니다. ‘예매 내역’에서 확인해 주세요.',
  RESERVATION_NOT_HELD: '더 이상 변경할 수 없는 예매입니다. ‘예매 내역’에서 확인해 주세요.',
  RESET_TOKEN_INVALID: '이미 사용했거나 만료된 링크입니다. 새 링크를 받아 주세요.',
  SALES_CLOSED: '이 콘서트의 예매가 종료되었습니다. 다른 콘서트를 확인해 주세요.',
  SALES_NOT_OPEN:
    '아직 예매가 시작되지 않았습니다. 티켓 오픈 시각에 다시 방문해 주세요. 미리 들어와도 순번은 빨라지지 않습니다.',
  SCHEDULE_CLOSED: '예매가 종료된 회차입니다. 다른 회차를 선택해 주세요.',
  SCHEDULE_NOT_FOUND: '존재하지 않는 회차입니다. 다른 회차를 선택해 주세요.',
  SEAT_LIMIT_EXCEEDED:
    '이 회차의 1인당 예매 가능 매수를 초과했습니다. 매수를 줄이거나 선택한 좌석을 취소해 주세요.',
  SEAT_NOT_FOUND: '이 회차에 없는 좌석입니다. 새로고침한 뒤 다시 선택해 주세요.',
  SOLD_OUT: '전석 매진되었습니다. 취소표가 나오면 다시 참여할 수 있습니다. 다른 콘서트도 둘러보세요.',
  TOO_MANY_REQUESTS: '요청이 너무 많습니다. 잠시 후 다시 시도해 주세요.',
  TOO_MANY_STREAMS:
    '접속이 많아 실시간 연결을 할 수 없습니다. 페이지가 자동으로 갱신되니 그대로 두셔도 됩니다.',
  UNAVAILABLE: '서버가 일시적으로 응답하지 않습니다. 순번과 좌석은 그대로입니다. 잠시 후 다시 시도해 주세요.',
  UNSUPPORTED_MEDIA_TYPE: '오래된 페이지입니다. 새로고침해 주세요.',
  USER_NOT_FOUND: '존재하지 않는 계정입니다. 다시 가입해 주세요.',
  VERIFICATION_TOKEN_INVALID: '만료된 링크입니다. 로그인한 뒤 ‘예매 내역’에서 다시 받아 주세요.',
  WRONG_CREDENTIALS: '이메일 또는 비밀번호가 일치하지 않습니다. 다시 확인해 주세요.',
};

export const denials: Dictionary['denials'] = {
  MISSING: '로그인이 필요합니다. 로그인하면 보던 곳에서 이어집니다.',
  INVALID: '로그인이 만료되었습니다. 다시 로그인해 주세요.',
  NOT_ACTIVE: '아직 입장 순서가 아닙니다. 대기실에서 기다리시면 자동으로 입장됩니다.',
  EXPIRED: '예매 가능 시간이 끝났습니다. 다시 예매하기를 눌러 대기해 주세요.',
  USED: '예매가 완료되어 입장이 종료되었습니다. 더 예매하시려면 ‘다시 예매하기’를 눌러 주세요.',
  LEFT: '대기열에서 나가셨습니다. 예매하시려면 다시 참여해 주세요.',
  CLOSED: '기다리시는 동안 예매가 종료되어 대기도 함께 종료되었습니다.',
  WRONG_CONCERT: '다른 콘서트의 대기 순번입니다. 이 콘서트의 대기열에 참여해 주세요.',
};

export const network: Dictionary['network'] = {
  offline: '인터넷 연결이 끊겼습니다. 네트워크를 확인해 주세요. 대기 순번과 좌석은 그대로입니다.',
  timeout: '서버 응답이 지연되고 있습니다. 다시 시도해 주세요. 중복 처리되지 않습니다.',
  unknown: '예상하지 못한 오류가 발생했습니다. 새로고침해 주세요.',
  retryIn: (seconds) => `${seconds}초 후에 다시 시도해 주세요.`,
  reference: (id) => `문의 번호: ${id}`,
};
