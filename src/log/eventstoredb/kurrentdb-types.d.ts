// What this adapter uses of the newer client: much is as in the older one. The package is optional: without it everything else is
// to compile all the same.
declare module '@kurrent/kurrentdb-client' {
  import { EventStoreDBClient, type Filter, type ReadAllOptions } from '@eventstore/db-client';

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

  export class KurrentDBClient extends EventStoreDBClient {
    static connectionString(text: string): KurrentDBClient;
    multiStreamAppend(requests: readonly AppendStreamRequest[]): Promise<{
      readonly position: bigint;
      readonly responses: readonly { readonly streamName: string; readonly revision: bigint }[];
    }>;
    readAll(options: ReadAllOptions & { readonly filter?: Filter }): ReturnType<EventStoreDBClient['readAll']>;
  }

  export { streamNameFilter } from '@eventstore/db-client';
}
