import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../config.ts';

/** Allows only our own scripts, resources and frames; avatars also from the hosts that are shown. */
export function securityHeaders(config: Config): RequestHandler {
  const isSecure = config.publicUrl.protocol === 'https:';
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'font-src': ["'self'"],
        'img-src': ["'self'", 'data:', ...config.avatarHosts.map((host) => `https://${host}`)],
        'media-src': ["'self'"],
        'connect-src': ["'self'", ...rpcSources(config.publicSolanaRpcUrl)],
        'manifest-src': ["'self'"],
        'worker-src': ["'self'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'object-src': ["'none'"],
        'require-trusted-types-for': ["'script'"],
        ...(isSecure ? { 'upgrade-insecure-requests': [] } : {}),
      },
    },
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000 } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Wallets open popup windows that must be able to send messages back.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
}

/**
 * The RPC address over http(s), and its WebSocket address. For an explicit port, web3.js uses the next port for the
 * WebSocket.
 */
function rpcSources(rpcUrl: string | null): string[] {
  if (!rpcUrl) return [];
  const url = new URL(rpcUrl);
  const socket = new URL(rpcUrl);
  socket.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (url.port) socket.port = String(Number(url.port) + 1);
  return [url.origin, `${socket.protocol}//${socket.host}`];
}
