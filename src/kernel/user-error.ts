/** Foyer cannot start, or a command cannot be carried out, for a reason the person at the keyboard can mend. */
export class UserError extends Error {
  override readonly name = 'StartFault';
}
