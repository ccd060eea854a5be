import type { Json, Topic } from './port.js';

/** Publish/subscribe within this process. Both adapters deliver committed changes through it. */
export class Subscribers {
  readonly #byTopic = new Map<string, ((change: never) => void)[]>();

  add<Change extends Json>({ name }: Topic<Change>, onChange: (change: Change) => void): void {
    this.#byTopic.set(name, [...(this.#byTopic.get(name) ?? []), onChange]);
  }

  // The only cast from a published change to the type of its topic.
  emit(name: string, change: Json): void {
    for (const onChange of this.#byTopic.get(name) ?? []) onChange(change as never);
  }
}
