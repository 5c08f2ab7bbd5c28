// What the server of the tests uses of the newer protocol's messages. Their package is optional.
declare module '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_pb.js' {
  namespace messages {
    export interface Value {
      getStringValue(): string;
    }

    export interface AppendRecord {
      getRecordId(): string | undefined;
      getPropertiesMap(): { forEach(each: (value: Value, name: string) => void): void };
      getSchema(): { getName(): string } | undefined;
      getData_asU8(): Uint8Array;
    }

    export class AppendRequest {
      getStream(): string;
      getRecordsList(): AppendRecord[];
      getExpectedRevision(): string | undefined;
      serializeBinary(): Uint8Array;
    }

    export class AppendResponse {
      setStream(value: string): this;
      setStreamRevision(value: string): this;
    }

    export class AppendSessionResponse {
      addOutput(value: AppendResponse): AppendResponse;
      setPosition(value: string): this;
    }
  }

  export default messages;
}

declare module '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/errors_pb.js' {
  namespace errors {
    export class StreamRevisionConflictErrorDetails {
      setStream(value: string): this;
      setExpectedRevision(value: string): this;
      setActualRevision(value: string): this;
      serializeBinary(): Uint8Array;
    }

    export class AppendTransactionSizeExceededErrorDetails {
      setSize(value: number): this;
      setMaxSize(value: number): this;
      serializeBinary(): Uint8Array;
    }
  }

  export default errors;
}

declare module '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_grpc_pb.js' {
  namespace services {
    export const StreamsServiceService: import('@grpc/grpc-js').ServiceDefinition;
  }

  export default services;
}
