const SCRIPT = '/sw.js';

interface ScriptPolicies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

let registering: Promise<ServiceWorkerRegistration | null> | undefined;

/** The service worker, registered once; null where a browser has none, or none can be had. */
export function serviceWorker(): Promise<ServiceWorkerRegistration | null> {
  registering ??= register();
  return registering;
}

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null;
  try {
    // Where a browser wants to be told that an address of a script is trusted.
    const { trustedTypes } = window as { trustedTypes?: ScriptPolicies };
    const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => SCRIPT });
    return await navigator.serviceWorker.register(policy?.createScriptURL(SCRIPT) ?? SCRIPT, {
      updateViaCache: 'none',
    });
  } catch {
    return null;
  }
}
