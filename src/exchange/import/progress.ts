// Shows progress.

export interface Progress {
  /** `unit` names what is counted, in the plural; `total` is null while unknown, and may grow. */
  begin(what: string, unit: string, total: number | null): void;
  reach(done: number): void;
  end(): void;
}

export const SILENT: Progress = { begin() {}, reach() {}, end() {} };
