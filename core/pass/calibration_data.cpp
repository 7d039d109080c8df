#include "core/pass/calibration_data.h"

#include "core/base/error.h"

namespace ql {

void requireCalibration(const PassContext &context, const Text &what)
{
    if (!context.calibration || context.calibration->size() == 0)
        throw Error(ErrorKind::BadData, QL_TEXT("%1 needs calibration data, and none was given").with(what))
            .withFix(Fix::ChooseData)
            .withRemedy(QL_TEXT("Give calibration data (%1).").with(Text::option("--calib")));
}

} // namespace ql
