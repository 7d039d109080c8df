#include "core/api/training.h"

#include "core/api/training_fields.h"

namespace ql::api {

QL_JSON_PAIR(TrainedBlock, "trained block")
QL_JSON_PAIR(TrainingEvent, "progress of training")

} // namespace ql::api
