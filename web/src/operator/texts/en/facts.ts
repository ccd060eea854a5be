/** Facts about a concert, and its poster. */
export const facts = {
  runningMinutes: 'Running time in minutes',
  emptyHint: 'Empty: not shown.',
  minAge: 'Minimum age',
  minAgeHint: '0: for all ages. Empty: not shown.',
  refundRules: 'Refund fee',
  refundHint:
    'Shown to fans as a table, the earliest rule first. A refund in Foyer returns the whole amount.',
  daysBefore: 'Until … days before',
  feePercent: 'Fee in %',
  addRule: 'Add a rule',
  usualRules: 'Use the usual rules',
  removeRule: (n: number) => `Remove rule ${n}`,
  poster: 'Poster',
  posterNone:
    'Fans see this drawing. Upload a picture: PNG, JPEG or WebP, up to 2 MB, best 3:4 and 900 pixels wide.',
  posterHint: 'Fans see this picture, also in shared links.',
  posterLater: 'You can upload a poster once the concert is created.',
  choosePoster: 'Picture file',
  uploadPoster: 'Upload',
  removePoster: 'Remove',
  posterSaved: 'The poster is saved.',
  posterRemoved: 'The poster is removed.',
};
