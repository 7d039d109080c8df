// Gradients of trainable programs, and the passes that train.
#include "core/exec/convolution.h"
#include "core/exec/trainable.h"
#include "core/quant/quantize.h"
#include "core/train/held_out.h"
#include "core/train/trainer.h"
#include "tests/pass/pass_support.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/log.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/round.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/where.h>

using namespace ql;
using namespace ql::test;

class TestTraining : public QObject
{
    Q_OBJECT

private:
    /// The residual network with weights of few bits, calibrated.
    static QuantModel coarse(const Batches &batches, int bits = 4)
    {
        QuantModel model = configured(residualGraph());
        for (const char *op : {"conv1", "conv2", "gemm"}) {
            TensorQuantConfig &weight = *model.plan.find(in(model, op, 1));
            weight.bits = bits;
            weight.quantMin = -(1 << (bits - 1));
            weight.quantMax = (1 << (bits - 1)) - 1;
        }
        for (const char *pass : {"quantize_fusion", "quantize_simplify", "parameter_quantize"}) run(pass, model);
        run("calibrate", model, {{"float_weights_below", 0}}, &batches); // leaves more for training to improve
        run("align", model);
        return model;
    }
    static TrainingOptions lsq()
    {
        TrainingOptions options;
        options.origin = Origin::pass("learned_step_size");
        options.weightScaleRate = options.activationScaleRate = 1e-2;
        options.weightRate = options.biasRate = 1e-3;
        options.steps = 60;
        options.blockSize = 1;
        return options;
    }

private Q_SLOTS:
    void gradientsAreThoseOfLibTorch_data()
    {
        QTest::addColumn<bool>("perChannel");
        QTest::addColumn<bool>("channelsLast");
        QTest::newRow("per tensor") << false << false;
        QTest::newRow("per channel") << true << false;
        QTest::newRow("per channel, channels last") << true << true;
    }
    void gradientsAreThoseOfLibTorch()
    {
        QFETCH(bool, perChannel);
        QFETCH(bool, channelsLast);
        TensorQuantConfig config;
        config.quantMin = -8;
        config.quantMax = 7;
        if (perChannel) config.channelAxis = 1;
        const at::Tensor start = perChannel ? floats({4}, {0.3f, 0.2f, 0.5f, 0.1f}) : floats({1}, {0.25f});
        at::Tensor x = noise({2, 4, 3, 3}, 3);
        if (channelsLast) x = x.contiguous(at::MemoryFormat::ChannelsLast);
        const at::Tensor weight = noise({2, 4, 3, 3}, 4);
        const auto gradients = [&](const auto &function) {
            at::Tensor input = x.clone().set_requires_grad(true), scale = start.clone().set_requires_grad(true);
            (function(input, scale) * weight).sum().backward();
            return std::pair{input.grad(), scale.grad()};
        };
        const auto [dx, ds] = gradients([&](const at::Tensor &input, const at::Tensor &scale) {
            return fakeQuantForTraining(input, scale, config, std::vector<std::int32_t>(std::size_t(scale.numel()), 0));
        });
        const auto [wantedDx, wantedDs] = gradients([&](const at::Tensor &input, const at::Tensor &scale) {
            const at::Tensor step = perChannel ? scale.reshape({1, 4, 1, 1}) : scale;
            const at::Tensor code = input / step;
            const at::Tensor rounded = code + (at::round(code) - code).detach();
            // At its limits, the gradient of clamp depends on the version of LibTorch
            const at::Tensor isInside = (rounded >= -8).logical_and(rounded <= 7);
            return at::where(isInside, rounded, at::clamp(rounded, -8, 7).detach()) * step;
        });
        QVERIFY(at::allclose(dx, wantedDx, 1e-4, 1e-5));
        QVERIFY(at::allclose(ds, wantedDs, 1e-4, 1e-4));
        QVERIFY(ds.abs().sum().item().toDouble() > 0.1);
    }

    void convolutionGradients_data()
    {
        QTest::addColumn<std::vector<std::int64_t>>("in");
        QTest::addColumn<std::vector<std::int64_t>>("taps");
        QTest::addColumn<std::vector<std::int64_t>>("strides");
        QTest::addColumn<std::vector<std::int64_t>>("dilations");
        QTest::addColumn<std::vector<std::int64_t>>("pads"); // beginnings, ends
        QTest::addColumn<int>("group");
        using Sizes = std::vector<std::int64_t>;
        QTest::newRow("3x3") << Sizes{1, 3, 9, 7} << Sizes{8, 3, 3, 3} << Sizes{1, 1} << Sizes{1, 1}
                             << Sizes{1, 1, 1, 1} << 1;
        QTest::newRow("1x1") << Sizes{2, 16, 5, 5} << Sizes{12, 16, 1, 1} << Sizes{1, 1} << Sizes{1, 1}
                             << Sizes{0, 0, 0, 0} << 1;
        QTest::newRow("strides, unequal pads")
            << Sizes{1, 4, 8, 8} << Sizes{6, 4, 3, 3} << Sizes{2, 2} << Sizes{1, 1} << Sizes{0, 1, 2, 1} << 1;
        QTest::newRow("depthwise") << Sizes{1, 16, 8, 8} << Sizes{16, 1, 3, 3} << Sizes{2, 1} << Sizes{1, 1}
                                   << Sizes{1, 1, 1, 1} << 16;
        QTest::newRow("groups, dilated") << Sizes{1, 8, 9, 9} << Sizes{4, 4, 3, 3} << Sizes{1, 1} << Sizes{2, 1}
                                         << Sizes{2, 1, 2, 1} << 2;
        QTest::newRow("line") << Sizes{2, 4, 11} << Sizes{6, 4, 3} << Sizes{2} << Sizes{1} << Sizes{1, 1} << 1;
    }
    void convolutionGradients()
    {
        QFETCH(std::vector<std::int64_t>, in);
        QFETCH(std::vector<std::int64_t>, taps);
        QFETCH(std::vector<std::int64_t>, strides);
        QFETCH(std::vector<std::int64_t>, dilations);
        QFETCH(std::vector<std::int64_t>, pads);
        QFETCH(int, group);
        Operation op;
        op.type = "Conv";
        op.attributes["strides"] = strides;
        op.attributes["dilations"] = dilations;
        op.attributes["pads"] = pads;
        op.attributes["group"] = std::int64_t(group);
        const at::Tensor x = noise(in, 1), w = noise(taps, 2), bias = noise({taps[0]}, 3);
        // Float32 is computed by oneDNN, float64 by LibTorch
        const auto gradients = [&](at::ScalarType type) {
            std::vector<at::Tensor> leaves;
            for (const at::Tensor &t : {x, w, bias}) leaves.push_back(t.to(type).clone().set_requires_grad(true));
            const at::Tensor y = convolve(op, leaves[0], leaves[1], leaves[2]);
            (y * y).sum().backward();
            std::vector<at::Tensor> all{y.detach().to(at::kFloat)};
            for (const at::Tensor &leaf : leaves) all.push_back(leaf.grad().to(at::kFloat));
            return all;
        };
        const std::vector<at::Tensor> got = gradients(at::kFloat), wanted = gradients(at::kDouble);
        for (std::size_t i = 0; i < got.size(); ++i)
            QVERIFY2(at::allclose(got[i], wanted[i], 1e-4, 1e-4), qPrintable(QString::number(i)));
        // A weight that is not trained
        const at::Tensor input = x.clone().set_requires_grad(true);
        const at::Tensor y = convolve(op, input, w, bias);
        (y * y).sum().backward();
        QVERIFY(at::equal(input.grad(), got[1]));
        QVERIFY(!convolve(op, x, w, bias).requires_grad());
    }

    void programGradientIsFinite()
    {
        // Without rounding the loss is smooth: compare with finite differences
        const Batches batches = noiseBatches({1, 3, 8, 8}, 2);
        QuantModel model = configured(residualGraph());
        const Executor executor(model.graph, {"cpu", 1});
        const VarId w1 = model.graph.findVariable("w1");
        Trainable trainable;
        ProgramSpec spec;
        spec.trainable = &trainable;
        at::Tensor leaf = model.graph.variable(w1).value.clone().set_requires_grad(true);
        trainable.parameters[w1] = leaf;
        const Program program = executor.compile(spec);
        const auto loss = [&] { return program.run(batches.batch(0), JobContext())[0].pow(2).sum(); };
        loss().backward();
        const double slope = leaf.grad().reshape({-1})[5].item().toDouble();
        const at::NoGradGuard off;
        const double step = 1e-3;
        at::Tensor moved = leaf.detach().clone();
        trainable.parameters[w1] = moved;
        moved.reshape({-1})[5] += step;
        const double above = loss().item().toDouble();
        moved.reshape({-1})[5] -= 2 * step;
        const double below = loss().item().toDouble();
        const double wanted = (above - below) / (2 * step);
        QVERIFY2(std::abs(slope - wanted) < 0.02 * std::abs(wanted) + 1e-4,
                 qPrintable(QString("%1 %2").arg(slope).arg(wanted)));
    }

    void lossFalls_data()
    {
        QTest::addColumn<QString>("pass");
        QTest::addColumn<QString>("params");
        QTest::newRow("LSQ") << "learned_step_size"
                             << R"({"steps": 150, "scale_rate": 0.01, "weight_rate": 0.001})";
        QTest::newRow("scales") << "learned_step_size"
                                << R"({"steps": 100, "scale_rate": 0.01, "weights": false})";
        QTest::newRow("whole graph") << "learned_step_size"
                                     << R"({"steps": 150, "whole_graph": true, "weight_rate": 0.001})";
        QTest::newRow("AdaRound") << "adaround"
                                  << R"({"steps": 300, "rounding_rate": 0.02, "bias_rate": 0.005})";
        QTest::newRow("BRECQ") << "block_reconstruction"
                               << R"({"steps": 300, "rounding_rate": 0.02, "bias_rate": 0.005, "drop": 0.2})";
        QTest::newRow("round tuning") << "round_tuning"
                                      << R"({"steps": 200, "rounding_rate": 0.01})";
        QTest::newRow("search") << "scale_search"
                                << "{}";
        QTest::newRow("biases") << "bias_tuning"
                                << R"({"steps": 150, "bias_rate": 0.01})";
    }
    void lossFalls()
    {
        QFETCH(QString, pass);
        QFETCH(QString, params);
        const Batches batches = noiseBatches({1, 3, 8, 8}, 40);
        QuantModel model = coarse(batches);
        double before = 0, after = 0;
        PassContext context;
        context.exec.threads = 1;
        context.calibration = &batches;
        context.calibrationSteps = batches.size();
        context.trained = [&](const api::TrainedBlock &block) {
            QVERIFY(block.after <= block.before);
            before += block.before;
            after += block.after;
        };
        const auto trained = makePass(pass.toStdString(), nlohmann::json::parse(params.toStdString()));
        QVERIFY(runPass(*trained, model, context).changed > 0);
        QVERIFY2(after < before, qPrintable(QString("%1 -> %2").arg(before).arg(after)));
        // The float network is as it was
        const Graph untouched = residualGraph();
        for (const char *name : {"w1", "b1", "w3"})
            QVERIFY(at::equal(model.graph.variable(model.graph.findVariable(name)).value,
                              untouched.variable(untouched.findVariable(name)).value));
    }

    void learnedRoundingsStayOnTheGrid()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 3); // so few serve for the training and for its judgement
        QuantModel model = coarse(batches);
        // Refined scales clip the largest weights, which then are no neighbours of theirs
        const nlohmann::json params{{"steps", 200}, {"rounding_rate", 0.05}, {"refine_scales", false}};
        QVERIFY(run("adaround", model, params, &batches) > 0);
        int differing = 0;
        for (const auto &[id, value] : model.plan.parameterValues) {
            const Slot slot = inputSlot(model.graph.variable(id).uses[0].op, 1);
            const float scale = scaleOf(model, slot);
            const at::Tensor codes = value / scale;
            QVERIFY(at::allclose(codes, at::round(codes), 0, 1e-4));
            const at::Tensor before = model.graph.variable(id).value;
            QVERIFY(at::allclose(value, before, 0, 1.001 * scale + 1e-6)); // a neighbour of the value
            differing +=
                !at::equal(simulatedParameter(model.graph, model.plan, slot), fakeQuant(before, model.plan, slot));
        }
        QVERIFY(differing > 0);
    }

    void weightsOfFewBitsGetBetterScalesFirst_data()
    {
        QTest::addColumn<int>("bits");
        QTest::addColumn<bool>("isRefined");
        QTest::newRow("2 bits") << 2 << false;
        QTest::newRow("3 bits") << 3 << true;
        QTest::newRow("5 bits") << 5 << true;
        QTest::newRow("8 bits") << 8 << false;
    }
    void weightsOfFewBitsGetBetterScalesFirst()
    {
        QFETCH(int, bits);
        QFETCH(bool, isRefined);
        const Batches batches = noiseBatches({1, 3, 8, 8}, 1);
        QuantModel model = coarse(batches, bits);
        std::map<Slot, TensorQuantConfig> before;
        for (const char *op : {"conv1", "conv2", "gemm"})
            before.emplace(in(model, op, 1), *model.plan.find(in(model, op, 1)));
        TrainingOptions options;
        options.rounding = RoundingRule::Soft; // scales are not trained
        options.weightRate = 1e-6;
        options.refineScales = true;
        options.steps = 1;
        const TrainingInput input{batches, batches.size(), {"cpu", 1}, 0, {}, {}, [](OpId, const Text &) {}};
        train(model, input, options);
        const auto error = [&](Slot slot, const TensorQuantConfig &config) {
            const at::Tensor &value = model.graph.variable(variableOf(model.graph, slot)).value;
            return (fakeQuant(value, config, config.scale, config.zeroPoint) - value).pow(2).sum().item().toDouble();
        };
        int refined = 0;
        for (const auto &[slot, config] : before) {
            const TensorQuantConfig &now = *model.plan.find(slot);
            if (now.scale == config.scale) continue;
            ++refined;
            QVERIFY(error(slot, now) < error(slot, config));
        }
        QCOMPARE(refined > 0, isRefined);
    }

    /// The residual network as it classifies: its outputs, or their probabilities.
    static double divergence(const QuantModel &model, const Batches &batches)
    {
        double sum = 0;
        for (std::size_t i = 0; i < batches.size(); ++i)
            sum +=
                lossOf(Loss::Classes, forward(model, batches.batch(i), true), forward(model, batches.batch(i), false))
                    .item()
                    .toDouble();
        return sum / double(batches.size());
    }

    void classesOfTheWholeGraph_data()
    {
        QTest::addColumn<bool>("wholeGraph");
        QTest::newRow("after the blocks") << false;
        QTest::newRow("alone") << true;
    }
    void classesOfTheWholeGraph()
    {
        QFETCH(bool, wholeGraph);
        const Batches batches = noiseBatches({1, 3, 8, 8}, 32);
        QuantModel byOutputs = coarse(batches, 3), byClasses = byOutputs, untrained = byOutputs;
        // With the default scale_rate of 2e-3, training by outputs ends with the smaller divergence here
        nlohmann::json params{{"steps", 150}, {"weight_rate", 1e-4}, {"scale_rate", 1e-3}, {"whole_graph", wholeGraph}};
        run("learned_step_size", byOutputs, params, &batches);
        params["loss"] = "classes";
        Problems problems;
        QVERIFY(run("learned_step_size", byClasses, params, &batches, &problems) > 0);
        QVERIFY(divergence(byClasses, batches) < 0.9 * divergence(untrained, batches));
        QVERIFY(divergence(byClasses, batches) < divergence(byOutputs, batches));
        QVERIFY(problems.back().message.english().find("divergence") != std::string::npos);
    }

    void classesHaveTheirOwnSteps()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 12);
        QuantModel model = coarse(batches, 3);
        TrainingOptions options = lsq();
        options.loss = Loss::Classes;
        options.steps = 3;
        options.classSteps = 80;
        options.classBatchSize = 2;
        std::vector<int> planned;
        TrainingInput input{batches, batches.size(), {"cpu", 1}, 0, {}, {}, [](OpId, const Text &) {}};
        input.progress = [&](const api::TrainingEvent &event) {
            if (!event.done && (planned.empty() || planned.back() != event.steps)) planned.push_back(event.steps);
        };
        train(model, input, options);
        QCOMPARE(planned, (std::vector<int>{3, 80}));
    }

    void neverWorseThanBefore_data()
    {
        QTest::addColumn<QString>("pass");
        QTest::addColumn<QString>("params");
        for (const char *pass :
             {"learned_step_size", "adaround", "block_reconstruction", "round_tuning", "bias_tuning"})
            for (const int steps : {1, 10, 37, 150})
                QTest::addRow("%s, %d steps", pass, steps) << pass << QString(R"({"steps": %1})").arg(steps);
        QTest::newRow("search") << "scale_search"
                                << "{}";
        QTest::newRow("large rates") << "learned_step_size"
                                     << R"({"steps": 10, "weight_rate": 0.01, "scale_rate": 0.5})";
        QTest::newRow("large batches") << "adaround"
                                       << R"({"steps": 10, "batch_size": 7, "rounding_rate": 0.5})";
        QTest::newRow("classes") << "learned_step_size"
                                 << R"({"steps": 10, "loss": "classes"})";
    }
    /// On the samples that decide, whatever the passes themselves report.
    void neverWorseThanBefore()
    {
        QFETCH(QString, pass);
        QFETCH(QString, params);
        const nlohmann::json given = nlohmann::json::parse(params.toStdString());
        const bool byClasses = given.contains("loss");
        const auto errorOf = [&](const QuantModel &model, const Batches &batches) {
            if (byClasses) return divergence(model, batches);
            double sum = 0;
            for (std::size_t i = 0; i < batches.size(); ++i) {
                const at::Tensor wanted = forward(model, batches.batch(i), false)[0];
                const at::Tensor error = forward(model, batches.batch(i), true)[0] - wanted;
                sum += (error.pow(2).sum() / wanted.pow(2).sum()).item().toDouble();
            }
            return sum / double(batches.size());
        };
        for (const int samples : {1, 2, 3, 5, 9}) {
            const Batches batches = noiseBatches({1, 3, 8, 8}, samples);
            QuantModel model = coarse(batches, 3);
            std::vector<Feed> deciding;
            for (const std::size_t batch : splitBatches(batches.size(), 0.25).heldOut)
                deciding.push_back(batches.batch(batch));
            const Batches heldOut(deciding);
            const double before = errorOf(model, heldOut), beforeOfAll = errorOf(model, batches);
            PassContext context;
            context.exec.threads = 1;
            context.calibration = &batches;
            context.calibrationSteps = batches.size();
            context.trained = [&](const api::TrainedBlock &block) {
                QVERIFY(block.kept ? block.after < block.before : block.after == block.before);
            };
            runPass(*makePass(pass.toStdString(), given), model, context);
            const double after = errorOf(model, heldOut);
            QVERIFY2(after <= before * 1.0001,
                     qPrintable(QString("%1 samples: %2 -> %3").arg(samples).arg(before).arg(after)));
            // The few that decide may mislead
            QVERIFY(errorOf(model, batches) <= beforeOfAll * 1.0001);
        }
    }

    void divergenceOfClasses()
    {
        const at::Tensor logits = noise({2, 5, 3}, 1), other = noise({2, 5, 3}, 2);
        const at::Tensor p = at::softmax(logits, 1), q = at::softmax(other, 1);
        const double wanted = (p * (p.log() - q.log())).sum().item().toDouble() / 6;
        QVERIFY(std::abs(lossOf(Loss::Classes, {other}, {logits}).item().toDouble() - wanted) < 1e-5);
        QVERIFY(std::abs(lossOf(Loss::Classes, {q}, {p}).item().toDouble() - wanted) < 1e-5); // already probabilities
        QVERIFY(!lossOf(Loss::Classes, {at::ones({4, 1})}, {at::ones({4, 1})}).defined());
    }

    void classesNeedAnOutputThatHasThem()
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({1, 2, 1, 1}, 1));
        g.op("Conv", "conv", {"x", "w"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        const Batches batches = noiseBatches({1, 2, 4, 4}, 6);
        for (const char *pass : {"quantize_fusion", "quantize_simplify", "parameter_quantize"}) run(pass, model);
        run("calibrate", model, {}, &batches);
        try {
            run("learned_step_size", model, {{"loss", "classes"}}, &batches);
            QFAIL("accepted");
        } catch (const Error &error) {
            QVERIFY(std::string(error.what()).find("classes along axis 1") != std::string::npos);
        }
    }

    void scalesOfFormatsStay_data()
    {
        QTest::addColumn<int>("format");
        QTest::newRow("E8M0") << int(ScaleFormat::E8M0);
        QTest::newRow("E4M3") << int(ScaleFormat::E4M3);
    }
    void scalesOfFormatsStay()
    {
        QFETCH(int, format);
        const Batches batches = noiseBatches({1, 3, 8, 8}, 24);
        for (const char *pass : {"learned_step_size", "scale_search"}) {
            QuantModel model = coarse(batches);
            const Slot slot = in(model, "conv1", 1);
            TensorQuantConfig &config = *model.plan.find(slot);
            config.scaleFormat = ScaleFormat(format);
            config.channelAxis = 0; // E4M3 needs more than one scale
            config.scale.resize(4, config.scale.at(0));
            config.zeroPoint.resize(4, 0);
            const std::vector<float> before = model.plan.scale(slot);
            const std::string others = planText(model);
            run(pass, model, {}, &batches);
            QVERIFY2(planText(model) != others, pass);
            QCOMPARE(model.plan.scale(slot), before);
        }
    }

    void worseBlockIsRestored()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 8);
        QuantModel model = coarse(batches, 8);
        const std::string plan = planText(model);
        // Steps far too large: no state is better than the first one
        QCOMPARE(run("learned_step_size", model, {{"scale_rate", 1.0}, {"weight_rate", 1.0}, {"steps", 20}}, &batches),
                 0);
        QCOMPARE(planText(model), plan);
        QVERIFY(model.plan.parameterValues.empty());
    }

    void cancelKeepsFinishedBlocks()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 32);
        QuantModel model = coarse(batches);
        const std::string first = planText(model);
        std::unique_ptr<JobContext> job;
        job = std::make_unique<JobContext>([&](const Progress &progress) {
            if (progress.what.english().find("block 2 of 3") != std::string::npos) job->cancel();
        });
        bool isCancelled = false;
        try {
            train(model, {batches, batches.size(), {"cpu", 1}, 0, {}, *job, [](OpId, const Text &) {}}, lsq());
        } catch (const Cancelled &) {
            isCancelled = true;
        }
        QVERIFY(isCancelled);
        QVERIFY(planText(model) != first);
        QVERIFY(model.plan.parameterValues.contains(model.graph.findVariable("w1")));
        QVERIFY(!model.plan.parameterValues.contains(model.graph.findVariable("w2")));
    }

    /// From each state between its blocks, training goes on to the result of a run that was not stopped.
    void continuesWhereItWasStopped()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 32);
        const auto trained = [&](const TrainingState *start, std::vector<TrainingState> *states) {
            QuantModel model = coarse(batches);
            TrainingInput input{batches, batches.size(), {"cpu", 1}, 0, {}, {}, [](OpId, const Text &) {}};
            input.start = start;
            std::vector<std::pair<int, api::TrainedBlock>> shown;
            input.progress = [&](const api::TrainingEvent &event) {
                if (event.done) shown.emplace_back(event.block, *event.done);
            };
            if (states) input.keep = [states](const TrainingState &state) { states->push_back(state); };
            const TrainingResult result = train(model, input, lsq());
            return std::tuple{planText(model), result.blocks, shown};
        };
        std::vector<TrainingState> states;
        const auto whole = trained(nullptr, &states);
        QCOMPARE(states.size(), std::size_t(2)); // three blocks
        for (const TrainingState &state : states) {
            std::vector<TrainingState> later;
            QVERIFY(trained(&state, &later) == whole);
            QCOMPARE(later.size(), states.size() - state.next);
        }
    }

    void equalForOneSeed()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 32);
        const auto trained = [&](int seed) {
            QuantModel model = coarse(batches);
            run("block_reconstruction", model, {{"steps", 60}, {"drop", 0.5}, {"seed", seed}, {"bias_rate", 1e-2}},
                &batches);
            return forward(model, batches.batch(0), true)[0];
        };
        QVERIFY(at::equal(trained(1), trained(1)));
        QVERIFY(!at::equal(trained(1), trained(2)));
    }

    /// A misspelled layer, or nothing that the pass trains, is reported.
    void nothingToTrain()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 4);
        QuantModel model = coarse(batches);
        const Error unknown = errorOf([&] {
            run("learned_step_size", model, {{"interested_layers", {"conv1", "conv9*"}}}, &batches);
        });
        QVERIFY(unknown.kind == ErrorKind::BadConfig);
        QVERIFY2(unknown.message.english().find("no layer is called 'conv9*'") != std::string::npos, unknown.what());
        QVERIFY(errorOf([&] {
                    run("layerwise_equalization", model, {{"interested_layers", {"none"}}}, &batches);
                }).kind == ErrorKind::BadConfig);
        std::vector<Slot> slots;
        for (const auto &[slot, config] : model.plan.configs()) slots.push_back(slot);
        for (const Slot slot : slots) model.plan.setState(slot, QuantState::Off, {});
        std::vector<std::string> reported;
        PassContext context;
        context.calibration = &batches;
        context.report = [&](const api::Problem &problem) { reported.push_back(problem.message.english()); };
        QCOMPARE(runPass(*makePass("scale_search", {}), model, context).changed, 0);
        QCOMPARE(reported, (std::vector<std::string>{"scale_search found nothing to train."}));
    }

    void blocksAreReported()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 32);
        QuantModel model = coarse(batches);
        TrainingOptions options = lsq();
        const TrainingResult result =
            train(model, {batches, batches.size(), {"cpu", 1}, 0, {}, {}, [](OpId, const Text &) {}}, options);
        QCOMPARE(result.blocks.size(), std::size_t(3));
        QCOMPARE(result.blocks[0].first, std::string("conv1"));
        QCOMPARE(result.blocks[0].last, std::string("relu"));
        QVERIFY(result.blocks[0].kept && result.blocks[0].steps > 0);
        for (const api::TrainedBlock &block : result.blocks) QVERIFY(block.after <= block.before);
        QVERIFY(result.after <= result.before);
        QCOMPARE(nlohmann::json(result.blocks[0]).get<api::TrainedBlock>(), result.blocks[0]);
    }

    void fixedScalesStay()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 8);
        QuantModel model = coarse(batches);
        const Slot slot = in(model, "conv1", 1);
        const float before = scaleOf(model, slot);
        train(model, {batches, batches.size(), {"cpu", 1}, 0, {slot}, {}, [](OpId, const Text &) {}}, lsq());
        QCOMPARE(scaleOf(model, slot), before);
    }

    void memoryAndFileGiveTheSameResult()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 8);
        QuantModel kept = coarse(batches), spilled = kept;
        const auto trained = [&](QuantModel &model, std::size_t memory) {
            train(model, {batches, batches.size(), {"cpu", 1}, memory, {}, {}, [](OpId, const Text &) {}}, lsq());
        };
        trained(kept, std::size_t{1} << 30);
        trained(spilled, 1);
        QCOMPARE(planText(spilled), planText(kept));
    }
};

QL_TEST(TestTraining)
#include "tst_training.moc"
