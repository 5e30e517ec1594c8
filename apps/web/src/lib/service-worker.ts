const SCRIPT = '/sw.js';

interface ScriptPolicies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

let registering: Promise<ServiceWorkerRegistration | null> | undefined;

/** The service worker, registered once; null if the browser has none or the registration failed. */
export function serviceWorker(): Promise<ServiceWorkerRegistration | null> {
  registering ??= register();
  return registering;
}

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null;
  try {
    // Browsers with Trusted Types require a trusted script address.
    const { trustedTypes } = window as { trustedTypes?: ScriptPolicies };
    const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => SCRIPT });
    return await navigator.serviceWorker.register(policy?.createScriptURL(SCRIPT) ?? SCRIPT, {
      updateViaCache: 'none',
    });
  } catch {
    return null;
  }
}
