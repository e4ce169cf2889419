// The page behind the link of a QR code: the command for the Raspberry Pi; the part after # is sent to nobody.

import { CopyText } from '../kit/CopyText.tsx'
import { Entrance } from '../signIn/Entrance.tsx'
import { useEnrolmentTexts } from './enrolmentTexts.ts'

export function EnrolPage() {
  const says = useEnrolmentTexts().page
  const [, code, cloudKey] = /^#([\w-]{1,40})\.([\w-]{43})$/.exec(location.hash) ?? []
  if (code === undefined || cloudKey === undefined)
    return (
      <Entrance title={says.title} intro={says.none}>
        {null}
      </Entrance>
    )
  const command = `sudo callgate-gateway enrol ${code} --cloud ${location.origin} --cloud-key ${cloudKey}`
  return (
    <Entrance title={says.title} intro={says.intro}>
      <CopyText label={says.command} text={command} leastRows={5} />
    </Entrance>
  )
}
