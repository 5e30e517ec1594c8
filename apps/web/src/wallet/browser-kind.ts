export type BrowserKind = 'desktop' | 'android' | 'ios' | 'in-app';

/** How this browser can reach wallets: as extensions, as apps, or not at all inside another app. */
export function browserKind(userAgent: string, touchPoints: number): BrowserKind {
  // Newer iPads call themselves Macs.
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);
  const isAndroid = /Android/.test(userAgent);
  if (!isIos && !isAndroid) return 'desktop';
  if (/\bwv\)|FBAN|FBAV|Instagram|Line\/|Twitter|Telegram|MicroMessenger|Snapchat/.test(userAgent)) return 'in-app';
  if (isIos && !/Safari\//.test(userAgent)) return 'in-app';
  return isIos ? 'ios' : 'android';
}
