// Shows how far something has come.

export interface Progress {
  /** `unit` is what is counted, in the plural; `total` is null while it is not known, and may turn out to be more. */
  begin(what: string, unit: string, total: number | null): void;
  reach(done: number): void;
  end(): void;
}
