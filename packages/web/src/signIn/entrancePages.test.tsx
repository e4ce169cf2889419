import { expect, it } from 'vitest'
import { sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()

it('lets a person with an account join another Space', async () => {
  const token = 'b'.repeat(43)
  const session = sessionOf({ name: 'Ion Marin', role: 'admin' })
  const cloud = await pages.open(`/invitation#${token}`, session, {
    readInvitation: () => ({
      status: 200,
      body: {
        spaceName: 'Casa Lalelelor',
        invitedBy: 'Mihai Radu',
        role: 'admin',
        email: session.user.email,
        name: 'Ion Marin',
        hasAccount: true,
        expiresAt: '2099-01-01T00:00:00.000Z',
      },
    }),
    acceptInvitation: () => ({ status: 200, body: { email: session.user.email, session } }),
  })
  await page.press('Accept')
  await expect.poll(() => location.pathname).toMatch(/^\/spaces\/space_\w+\/gates$/)
  expect(cloud.bodies('acceptInvitation')).toEqual([{ token }])
})
