// Loaded into a child process: asks it to stop when its parent is gone, even when that was killed without a word.
const PATIENCE_MS = 20_000;

if (process.channel) {
  process.on('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
  });
  process.channel.unref();
}
