// The contract of the event store with the newer client.
await import('../contract/event-store.eventstoredb.test.ts');
