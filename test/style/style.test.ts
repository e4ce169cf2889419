// The style as tests, in one file because each process that reads all sources takes some seconds for it.

import './citationsTests.ts'
import './classesTests.ts'
import './clocksTests.ts'
import './loadsTests.ts'
import './mapTests.ts'
import './ownersTests.ts'
import './roomRulesTests.ts'
import './tidyTests.ts'
