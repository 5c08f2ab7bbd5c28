// Kills of the server under writers, with the newer client.
await import('../drills/eventstoredb-kills.test.ts');
