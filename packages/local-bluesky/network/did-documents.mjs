import { getDidKeyFromMultibase } from '@atproto/identity';

const TYPE = 'application/did+ld+json';
const CONTEXT = [
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/multikey/v1',
  'https://w3id.org/security/suites/secp256k1-2019/v1',
];

/** The public directory writes keys as Multikey; this older version has another form. */
export function writeMultikeys(app) {
  const { send } = app.response;
  app.response.send = function (body) {
    const isDocument = typeof body === 'string' && this.get('content-type')?.startsWith(TYPE);
    return send.call(this, isDocument ? JSON.stringify(withMultikeys(JSON.parse(body))) : body);
  };
}

function withMultikeys(document) {
  const verificationMethod = document.verificationMethod.map((method) => ({
    id: `${document.id}${method.id}`,
    type: 'Multikey',
    controller: method.controller,
    publicKeyMultibase: getDidKeyFromMultibase(method).slice('did:key:'.length),
  }));
  return { ...document, '@context': CONTEXT, verificationMethod };
}
