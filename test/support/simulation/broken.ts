/** A promise that was not kept. */
export class Broken extends Error {
  override readonly name = 'Broken';
  readonly promise: string;

  constructor(promise: string, detail: unknown) {
    super(`${promise}: ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`);
    this.promise = promise;
  }
}

/** `detail` is only put into words when it is needed. */
export function keep(promise: string, isKept: boolean, detail: () => unknown): void {
  if (!isKept) throw new Broken(promise, detail());
}
