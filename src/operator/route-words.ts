/** What every route of the promoter's says of itself. */
export const TAGS = { tags: ['Operator'] };
export const GUARDED = ['ACCESS_DENIED', 'FORBIDDEN', 'USER_NOT_FOUND'] as const;
