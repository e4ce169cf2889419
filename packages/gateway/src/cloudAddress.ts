// The address of a cloud, as people and files write it.

import { isLoopback } from '@callgate/contract/loopback'

/** The fault in the address of a cloud; undefined where there is none. A code must not cross a network unencrypted. */
export function cloudUrlFault(cloudUrl: string): string | undefined {
  const url = URL.canParse(cloudUrl) ? new URL(cloudUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    return `the address of the cloud must be like https://gates.example.com, not ${JSON.stringify(cloudUrl)}`
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '')
    return 'the address of the cloud must end with its host or its port'
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'the address of the cloud must begin with https://'
  return undefined
}
