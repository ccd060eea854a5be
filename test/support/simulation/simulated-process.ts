import { CrashInjector, type CrashPoint, setCurrentInjector } from './crash-injector.js';
import { type Engine, startEngine } from './engine.js';
import { waitTicks } from './event-loop.js';
import type { Sabotage } from './sabotage.js';

/** Iterations of the event loop after a crash in which work that was still running fails. */
const LAST_TICKS = 4;

/** One process on a database file. After a crash, another one can be started on the same file. */
export class SimulatedProcess {
  readonly engine: Engine;
  /** Resolves when the process crashes. */
  readonly crashed: Promise<void>;
  readonly #injector: CrashInjector;

  private constructor(injector: CrashInjector, crashed: Promise<void>, engine: Engine) {
    this.#injector = injector;
    this.crashed = crashed;
    this.engine = engine;
  }

  static async start(
    file: string,
    clock: () => number,
    sabotage: Sabotage | undefined,
    onError: (error: unknown) => void,
  ): Promise<SimulatedProcess> {
    let onCrash = (): void => undefined;
    const crashed = new Promise<void>((resolve) => (onCrash = resolve));
    const injector = new CrashInjector(sabotage, onCrash);
    setCurrentInjector(injector);
    const engine = await startEngine(file, clock, (error) => {
      if (!injector.hasCrashed) onError(error);
    });
    return new SimulatedProcess(injector, crashed, engine);
  }

  get hasCrashed(): boolean {
    return this.#injector.hasCrashed;
  }

  crashAt(point: CrashPoint | null): void {
    this.#injector.crashAt(point);
  }

  /** Crashes it unless it has crashed already, and closes its connections without a commit. */
  async kill(): Promise<void> {
    this.#injector.crash();
    await waitTicks(LAST_TICKS);
    this.#injector.closeConnections();
    // Not awaited: never resolves if a transaction was open when its connection was closed above.
    void this.engine.close();
  }
}
