// The address of a cloud, as people and files name it.

import { isLoopback } from '@callgate/contract/loopback'

/** What is wrong with the address of a cloud; undefined when nothing is. A code must not cross a network in the clear. */
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
