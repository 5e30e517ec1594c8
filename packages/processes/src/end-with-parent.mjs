// Loaded into a child process. Asks it to stop when its parent is gone, even if the parent was killed.
const PATIENCE_MS = 20_000;

if (process.channel) {
  process.on('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
  });
  process.channel.unref();
}
