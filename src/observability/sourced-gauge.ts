// Gauges that are read when they are scraped.
import { Gauge, type Registry } from 'prom-client';

/** Creates a gauge of 0; the returned function sets its source. */
export function sourcedGauge(
  registers: Registry[],
  about: { readonly name: string; readonly help: string },
): (source: () => number) => void {
  let read = (): number => 0;
  new Gauge({
    ...about,
    registers,
    collect() {
      this.set(read());
    },
  });
  return (source) => {
    read = source;
  };
}
