// The package has no types of its own.
declare module 'cluster-key-slot' {
  /** The slot of a key in a Redis cluster, 0 to 16383. */
  export default function slotOf(key: string | Buffer): number;
}
