import type { Json, Topic } from './port.js';

/** Who wants to hear of what. Both adapters tell through it. */
export class Subscribers {
  readonly #byTopic = new Map<string, ((change: never) => void)[]>();

  add<Change extends Json>({ name }: Topic<Change>, hear: (change: Change) => void): void {
    this.#byTopic.set(name, [...(this.#byTopic.get(name) ?? []), hear]);
  }

  // What was announced under a topic is of that topic's type; this is the one place that takes its word for it.
  emit(name: string, change: Json): void {
    for (const hear of this.#byTopic.get(name) ?? []) hear(change as never);
  }
}
