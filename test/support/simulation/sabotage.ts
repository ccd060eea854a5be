/** What is taken away from the engine to see whether the simulation notices. */
export interface Sabotage {
  /** By the names of statements: what of their text is replaced by what. */
  readonly statements?: Readonly<Record<string, readonly [from: string, to: string]>>;
  /** SQL that drops the schema's own second guard. */
  readonly drop?: string;
  /** The schema's CHECKs are not looked at. */
  readonly withoutChecks?: boolean;
  /** Answers are given before the commit, which is made a little later. */
  readonly answersBeforeCommit?: boolean;
  /** The promises of which one is broken then, and noticed. */
  readonly breaks: readonly string[];
}
