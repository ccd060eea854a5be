import { beginLife, type Life } from './life.js';
import { type DeathPoint, Mortal, setLiving } from './mortal.js';
import type { Sabotage } from './sabotage.js';
import { turns } from './turns.js';

/** Turns of the event loop in which the last that a dead process would have done comes to nothing. */
const LAST_TURNS = 4;

/** One process on a database. It can be killed, and another can be started on what it leaves behind. */
export class Process {
  readonly life: Life;
  /** Resolves when it dies. */
  readonly death: Promise<void>;
  readonly #mortal: Mortal;

  private constructor(mortal: Mortal, death: Promise<void>, life: Life) {
    this.#mortal = mortal;
    this.death = death;
    this.life = life;
  }

  static async start(
    file: string,
    clock: () => number,
    sabotage: Sabotage | undefined,
    onFault: (error: unknown) => void,
  ): Promise<Process> {
    let hasDied = (): void => undefined;
    const death = new Promise<void>((resolve) => (hasDied = resolve));
    const mortal = new Mortal(sabotage, hasDied);
    setLiving(mortal);
    const life = await beginLife(file, clock, (error) => {
      if (!mortal.isDead) onFault(error);
    });
    return new Process(mortal, death, life);
  }

  get isDead(): boolean {
    return this.#mortal.isDead;
  }

  dieAt(point: DeathPoint | null): void {
    this.#mortal.dieAt(point);
  }

  /** Kills it, unless it is dead already. Its connections are closed as they are, without a commit. */
  async end(): Promise<void> {
    this.#mortal.die();
    await turns(LAST_TURNS);
    this.#mortal.letGo();
    // Waits for ever where a group was under way: its connections have been closed above.
    void this.life.close();
  }
}
