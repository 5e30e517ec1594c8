const WIDTH = 28;
const REDRAW_MS = 100;
const PLAIN_MS = 5_000;

/** A progress bar on a terminal; elsewhere a line from time to time. */
export function progressLine(out: NodeJS.WriteStream): { show(share: number, text: string): void; end(): void } {
  let shownAt = out.isTTY ? 0 : Date.now();
  return {
    show(share, text) {
      if (Date.now() - shownAt < (out.isTTY ? REDRAW_MS : PLAIN_MS)) return;
      shownAt = Date.now();
      const part = Math.min(1, Math.max(0, share));
      const percent = `${Math.floor(part * 100)}%`.padStart(4);
      if (!out.isTTY) return void out.write(`${percent}  ${text}\n`);
      const filled = Math.round(part * WIDTH);
      out.write(`\r\u001b[K${'━'.repeat(filled)}${'─'.repeat(WIDTH - filled)} ${percent}  ${text}`);
    },
    end() {
      if (out.isTTY) out.write('\r\u001b[K');
    },
  };
}
