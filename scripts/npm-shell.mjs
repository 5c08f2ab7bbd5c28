// npm passes a signal on to the shell that it has started, and not to what that runs: after `kill` of `npm start` the shell
// would be gone and the service would go on. So what npm runs watches the process that started it.
const LOOK_AGAIN_MS = 250;
const SCRIPTS = ['start', 'demo'];

/** Sends this process SIGTERM once the shell of `npm start` or `npm run demo` is gone. Windows has no such signals. */
export function endWithShell() {
  const { npm_package_name: name, npm_lifecycle_event: script } = process.env;
  if (process.platform === 'win32' || name !== 'daybook' || !SCRIPTS.includes(script)) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_AGAIN_MS);
  watch.unref();
}
