// Makes the Debian packages of the cloud in a folder.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeFor } from '../pi/nodeBinaries.ts'
import { bundledCloud, type CloudArchitecture, cloudPackage, cloudPackageName } from './cloudPackage.ts'

export interface CloudPackagesOptions {
  /** Where the packages are written. */
  readonly folder: string
  readonly architectures: readonly CloudArchitecture[]
  /** The time of every file, seconds since 1970. */
  readonly seconds: number
  /** Makes each twice, and throws where the bytes differ. */
  readonly isChecked: boolean
}

/** Makes the packages, and returns their paths. Rejects with a message for a person where one cannot be made. */
export async function makeCloudPackages(options: CloudPackagesOptions): Promise<readonly string[]> {
  const { architectures, folder, isChecked, seconds } = options
  const bundle = await bundledCloud()
  const again = isChecked ? await bundledCloud() : bundle
  await mkdir(folder, { recursive: true })
  const paths: string[] = []
  for (const architecture of architectures) {
    const given = { architecture, node: await nodeFor(architecture), seconds, level: 9 }
    const bytes = await cloudPackage({ ...given, bundle })
    if (isChecked && !bytes.equals(await cloudPackage({ ...given, bundle: again })))
      throw new Error(`${cloudPackageName(architecture)}: made twice, it has other bytes`)
    const path = join(folder, cloudPackageName(architecture))
    await writeFile(path, bytes)
    paths.push(path)
  }
  return paths
}
