// What this adapter uses of the newer client. The package is optional: without it everything else is to compile all the same.
declare module '@kurrent/kurrentdb-client' {
  interface Position {
    readonly commit: bigint;
    readonly prepare: bigint;
  }

  interface ReadOptions {
    readonly direction: 'forwards' | 'backwards';
    readonly maxCount: number;
    readonly requiresLeader: boolean;
    readonly credentials?: { readonly username: string; readonly password: string };
  }

  interface ResolvedEvent {
    readonly event?: import('./codec.ts').ClientEvent;
  }

  interface Filter {
    readonly filterOn: 'streamName';
  }

  interface AppendStreamRequest {
    readonly streamName: string;
    readonly expectedState: bigint | 'no_stream' | 'any';
    readonly events: readonly {
      readonly id: string;
      readonly type: string;
      readonly contentType: 'application/json';
      readonly data: unknown;
      readonly metadata: { readonly [name: string]: string };
    }[];
  }

  export class KurrentDBClient {
    static connectionString(text: string): KurrentDBClient;
    multiStreamAppend(requests: readonly AppendStreamRequest[]): Promise<{
      readonly position: bigint;
      readonly responses: readonly { readonly streamName: string; readonly revision: bigint }[];
    }>;
    readStream(
      stream: string,
      options: ReadOptions & { readonly fromRevision: bigint | 'start' | 'end' },
    ): AsyncIterable<ResolvedEvent>;
    readAll(
      options: ReadOptions & { readonly fromPosition: Position | 'start' | 'end'; readonly filter?: Filter },
    ): AsyncIterable<ResolvedEvent>;
    subscribeToAll(
      options: {
        readonly fromPosition: Position | 'start' | 'end';
        readonly filter: Filter;
        readonly requiresLeader: boolean;
      },
      readable: { readonly highWaterMark: number },
    ): { unsubscribe(): Promise<void> };
    dispose(): Promise<void>;
  }

  export function streamNameFilter(
    of: { readonly maxSearchWindow?: number; readonly checkpointInterval?: number } & (
      | { readonly prefixes: string[] }
      | { readonly regex: string }
    ),
  ): Filter;
}
